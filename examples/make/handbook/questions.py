"""What one may ask the handbook."""

from __future__ import annotations

from make.questions import Question

__all__ = ["QUESTIONS"]

QUESTIONS = (
    Question("question", "How many vacation days do new employees get?", {"vacation-new": "26 days"}),
    Question(
        "table",
        "How many days of annual holiday does someone with six years of service have?",
        {"vacation-5": "29 days"},
    ),
    Question(
        "question",
        "Until when must vacation days carried over from last year be taken?",
        {"carry-over": "they lapse at the end of March"},
        {"deadline-carry": "31 March"},
    ),
    Question("paraphrase", "Is Christmas Eve a working day?", {"company-days": "24 and 31 December"}),
    Question("table", "paid days off when a parent dies", {"bereavement": "Death of a partner, child or parent"}),
    Question("keywords", "own wedding special leave", {"wedding": "Your own wedding or civil partnership"}),
    Question(
        "paraphrase",
        "I have the flu. From which day on must I bring a note from my physician?",
        {"sick-note": "needed from the fourth calendar day"},
    ),
    Question("question", "For how long is the full salary paid during an illness?", {"sick-pay": "first ten weeks"}),
    Question("question", "How many weeks of paid parental leave does each parent receive?", {"parental": "20 weeks"}),
    Question(
        "paraphrase",
        "Can I work shorter weeks for a while once my baby leave is over, and how low can I go?",
        {"return-hours": "as little as 60 percent"},
    ),
    Question(
        "question",
        "On how many days a week may office teams work remotely?",
        {"remote-days": "up to three days a week"},
    ),
    Question(
        "paraphrase", "Does the firm chip in for a desk and chair in my flat?", {"home-allowance": "450 euros once"}
    ),
    Question("keywords", "working days allowed from another European country", {"abroad": "30 working days a year"}),
    Question("table", "What is the most a hotel night abroad may cost?", {"hotel-limit": "160"}),
    Question("table", "meal allowance domestic full day", {"meal-allowance": "Meals, a full day away"}),
    Question(
        "question",
        "How soon after a trip must expense claims be handed in?",
        {"claim-deadline": "within 30 days of the end of the trip"},
    ),
    Question("keywords", "mileage rate private car per kilometre", {"mileage": "0.38 euros for each kilometre"}),
    Question(
        "question", "Up to what value may I accept gifts from business partners?", {"gifts": "worth up to 40 euros"}
    ),
    Question("keywords", "minimum password length", {"passwords": "at least 14 characters"}),
    Question(
        "paraphrase",
        "My notebook was stolen on the train. How quickly do I have to tell somebody, and on which number?",
        {"incident": "within one hour, at extension 2400"},
    ),
    Question("question", "May I plug a private USB stick into my laptop?", {"devices": "must not be plugged in"}),
    Question("question", "How long is the probation period?", {"probation": "first six months are a probation period"}),
    Question("table", "What is the period of notice after five years of service?", {"notice-5": "2 months"}),
    Question("keywords", "referral bonus amount", {"referral": "1,200 euros"}),
    Question("question", "How is overtime compensated?", {"overtime": "an hour and a quarter of free time"}),
    Question("table", "night shift supplement percent", {"night-shift": "30 percent"}),
    Question("question", "What share of salary does the employer pay into the pension fund?", {"pension": "7 percent"}),
    Question("paraphrase", "On which day of the month does the money arrive?", {"payday": "on the 25th of each month"}),
    Question(
        "question",
        "How long does it take until there is a written decision on a complaint?",
        {"complaint-decision": "within four weeks"},
    ),
    Question(
        "paraphrase",
        "Where can bribery be reported without giving one’s name?",
        {"hotline": "messages can be left without a name"},
    ),
    Question("question", "What is the yearly training budget of an employee?", {"training": "1,800 euros a year"}),
    Question("keywords", "paid days for charity volunteering", {"volunteering": "two paid working days a year"}),
    Question("question", "At what wind speed does work on masts stop?", {"wind-limit": "12 metres a second"}),
    Question(
        "paraphrase",
        "Can older colleagues wind down gradually before they stop working altogether?",
        {"partial-retirement": "half-time for up to three years"},
    ),
    Question("near miss", "How much does the company pay towards a gym membership?"),
    Question("near miss", "What is the dress code in the offices?"),
    Question("near miss", "May I give some of my vacation days to a colleague?"),
    Question("near miss", "What is the name of the managing director?"),
    Question("near miss", "Can I bring my dog to work?"),
    Question("near miss", "How many employees work in Penmarrow?"),
    Question("near miss", "What was the bonus percentage paid out for 2024?"),
)
