"""What one may ask the annual report."""

from __future__ import annotations

from make.questions import Question

__all__ = ["QUESTIONS"]

_STATEMENTS = (
    Question(
        "question",
        "How much did the company spend on capital expenditure in 2025?",
        {"cash-flow-capex": "Capital expenditures (217)"},
        {
            "letter-capex": "$217 million on capital expenditures",
            "mdna-capex": "Capital expenditures (217)",
            "capex-text": "Capital expenditures were $217 million in 2025",
            "segment-capex": "Total capital expenditures 217",
            "ten-years": "Capital expenditures 112 124 131 138 97 129 158 171 188 217",
            "capital-total": "Capital expenditures $217.0",
        },
    ),
    Question(
        "question",
        "What were diluted earnings per share in 2025?",
        {"income-eps": "Diluted $2.95"},
        {"letter": "diluted earnings per share were $2.95", "mdna-overview": "$2.95", "ten-years": "2.95"},
    ),
    Question(
        "table",
        "interest expense 2025 vs 2024",
        {"income-interest": "Interest expense (74) (78)"},
        {"mdna-interest": "Interest expense fell to $74 million from $78 million"},
    ),
    Question(
        "question",
        "How much cash went into buying back shares in 2025?",
        {"cash-flow-buyback": "Repurchase of common stock (185)"},
        {
            "letter-capex": "$185 million by buying back shares",
            "mdna-returns": "share repurchases $185 million",
            "equity": "Repurchase of 3.0 million shares",
            "note-buyback": "3.0 million shares for $185 million",
        },
    ),
    Question("keywords", "cash paid for income taxes 2025", {"cash-taxes": "Income taxes paid 104"}),
    Question(
        "table",
        "goodwill on the balance sheet at year-end 2025",
        {"balance-goodwill": "Goodwill 1,358"},
        {"goodwill": "Balance, December 31, 2025 $390 $588 $237 $143 $1,358"},
    ),
    Question("table", "comprehensive income 2024", {"comprehensive": "Comprehensive income 411 225 312"}),
    Question(
        "table",
        "Process Filtration revenue in Asia-Pacific in 2025",
        {"revenue-by-region": "Process Filtration 598 328 224 18"},
    ),
    Question("table", "gross profit in the third quarter of 2025", {"quarter-gross": "Gross profit 329 360 363 381"}),
    Question("table", "operating income in 2019", {"ten-years": "Operating income 248 271 296 301"}),
    Question("table", "revenue from microelectronics customers", {"microelectronics": "Microelectronics 458"}),
    Question(
        "question",
        "How much revenue did Marrowick earn from customers in India in 2025?",
        {"india": "India 164"},
        {"market-India": "Revenue (millions) 164"},
    ),
    Question("question", "How much of the debt has to be repaid in 2028?", {"debt-maturities": "2028 525"}),
    Question("question", "Over what period are buildings depreciated?", {"useful-lives": "buildings 20 to 45 years"}),
    Question(
        "question",
        "What share of inventories is valued by the last-in, first-out method?",
        {"inventory-method": "24 percent of inventories"},
    ),
    Question("table", "reserve for slow-moving inventories end of 2025", {"slow-moving": "2025 39 11 (9) 1 42"}),
    Question(
        "keywords",
        "discount rate US pension plans",
        {"pension-assumptions": "5.25 percent at the end of 2025"},
        {"mdna-pension": "5.25 percent"},
    ),
    Question(
        "question",
        "How much stock compensation has not been recognized yet, and over what time will it be?",
        {"unearned-compensation": "$47 million was not yet recognized"},
    ),
    Question(
        "question",
        "How many asbestos claims were open at the end of 2025?",
        {"new-claims": "Open, end of year 3,860"},
        {"risk-asbestos": "there were 3,860 claims"},
    ),
    Question(
        "table",
        "purchase commitments due in 2026",
        {"note-commitments": "of which $121 million in 2026"},
        {"purchase-obligations": "Purchase commitments 214 121"},
    ),
    Question(
        "paraphrase",
        "Which business did the company agree to part with after the books were closed, and for how much?",
        {"subsequent": "for $43 million"},
    ),
)

_BUSINESS = (
    Question(
        "question",
        "Who founded the company and when?",
        {"founded": "founded in 1911 by Josiah Marrowick"},
        {"history-founded": "1911. Josiah Marrowick"},
    ),
    Question("question", "How large was the order backlog at the end of 2025?", {"backlog": "was $2,036 million"}),
    Question(
        "paraphrase",
        "Does a single buyer make up more than a tenth of sales?",
        {"largest-customer": "more than 4 percent of our revenue"},
    ),
    Question(
        "question",
        "What savings are expected from closing the Brackwater foundry?",
        {"brackwater": "savings of $11 million a year"},
    ),
    Question(
        "paraphrase",
        "How many workers were let go when the Pennsylvania casting plant shut?",
        {"letter-brackwater": "cost 212 people their jobs"},
        {"qa-brackwater": "Of 212 people"},
    ),
    Question(
        "paraphrase",
        "Hackers stole blueprints and demanded a ransom. Was it paid?",
        {"risk-attack": "they asked for money, and we did not pay"},
    ),
    Question(
        "question",
        "What earnings per share does management expect for 2026?",
        {"outlook": "diluted earnings per share between $3.15 and $3.35"},
    ),
    Question(
        "keywords",
        "Port Amity plant cost approved versus expected",
        {"risk-port-amity": "approved at $164 million; we now expect $181 million"},
        {"capital-Membrane": "exceeded by about $17 million"},
    ),
)

_GOVERNANCE = (
    Question("table", "total compensation of the chief executive for 2025", {"ceo-pay": "10,054"}),
    Question(
        "question",
        "How many times the pay of the median employee does the chief executive earn?",
        {"pay-ratio": "218 times as much"},
    ),
    Question(
        "question",
        "Since when has Lindqvist Harrow been the auditor?",
        {"auditor": "auditor of the company since 1987"},
        {"qa-auditor": "Since 1987"},
    ),
    Question("table", "audit fees 2025", {"tax-fees": "Audit 8,640"}),
    Question(
        "keywords", "largest shareholder percent", {"largest-holder": "Granary Street Index Funds 12,410,000 10.8"}
    ),
    Question(
        "question",
        "Who chairs the Compensation Committee?",
        {"compensation-committee": "Philippa Nwosu (chair)"},
        {"nwosu-bio": "chairs the Compensation Committee", "compensation-report": "Philippa Nwosu, chair"},
    ),
    Question(
        "question",
        "What severance do officers receive after a change of control?",
        {"severance": "three annual salaries with bonuses and the other officers two"},
        {"change-severance": "three, annual salaries and target bonuses"},
    ),
    Question(
        "question",
        "When are insiders barred from trading around quarterly results?",
        {"closed-period": "fourteenth day"},
    ),
    Question(
        "question",
        "How many years of incentive pay can be reclaimed after a restatement?",
        {"clawback-period": "three completed fiscal years"},
    ),
)

_EXHIBITS = (
    Question(
        "question",
        "On which dates is interest paid on the 5.40 percent notes?",
        {"interest-dates": "March 15 and September 15"},
        {"debt-note": "March 15 and September 15"},
    ),
    Question(
        "question",
        "Above what amount does default on other debt trigger an event of default under the indenture?",
        {"cross-default": "above $125 million is accelerated"},
    ),
    Question(
        "question",
        "What is the highest leverage ratio the credit agreement allows?",
        {"leverage-covenant": "may not exceed 3.75 to 1.00"},
        {"mdna-leverage": "leverage ratio of at most 3.75", "risk-leverage": "3.75"},
    ),
    Question(
        "question",
        "When does the revolving credit line expire?",
        {"maturity-date": "The Maturity Date is June 18, 2030"},
        {"revolver": "runs until June 2030"},
    ),
    Question("keywords", "swingline loan limit", {"swingline": "up to $75 million"}),
    Question("table", "facility fee at BBB / Baa2", {"pricing-bbb": "BBB / Baa2 0.125"}),
    Question(
        "question",
        "How much hollow-fiber polymer must Marrowick buy each year at least?",
        {"polymer-quantity": "at least 1,450 tons"},
    ),
    Question("table", "hourly wage of a machinist at Calder Falls", {"wage-machinist": "machinist 31.46"}),
    Question(
        "question",
        "By when must the spinning hall in Port Amity be substantially complete?",
        {"pa-completion": "May 29, 2026"},
    ),
    Question(
        "question",
        "How much water did the Quarry Hill plant withdraw in 2025?",
        {"report-Quarry-Hill": "Water withdrawn (thousand cubic meters) 93"},
    ),
    Question(
        "question",
        "Who manages the plants in Ballinroe and Dolna Brama?",
        {
            "report-Ballinroe": "Hanneke Whitcombe has been plant manager",
            "report-Dolna-Brama": "led by Soren Kowalczuk",
        },
    ),
    Question(
        "question",
        "Which plant used the most water?",
        {"thirstiest": "The ten plants that used most water"},
    ),
    Question(
        "table",
        "Halyard Hydrogen revenue 2025",
        {"product-Halyard-Hydrogen": "Halyard Hydrogen 2025 2024 2023 Revenue (millions of dollars) 130"},
        {"products-table": "Halyard Hydrogen 130"},
    ),
    Question(
        "question",
        "What is the contract price of the Estero Hondo storm-water stations?",
        {"project-Estero": "Contract price 46.0"},
        {"estero": "worth $46 million"},
    ),
    Question("table", "Scope 1 emissions in 2025", {"scope-one": "Scope 1, fuels and vans 141"}),
    Question(
        "paraphrase", "How many of the technicians’ vehicles run on batteries?", {"service-vans": "388 are electric"}
    ),
    Question(
        "question", "What is the shortest rental period for pumps?", {"rental-minimum": "shortest period is one week"}
    ),
    Question(
        "paraphrase",
        "What minimum return must a big investment promise before it is approved?",
        {"qa-hurdle": "must earn 12 percent after taxes"},
    ),
    Question(
        "question", "For how much was the swimming pool business sold?", {"history-pools": "is sold for $41 million"}
    ),
    Question(
        "question",
        "How many reports did the ethics helpline receive in 2025?",
        {"ethics-helpline": "received 386 reports in 2025"},
    ),
)

_NEAR_MISSES = (
    Question("near miss", "What was capital expenditure in 2015?"),
    Question("near miss", "What did the chief financial officer earn in 2023?"),
    Question("near miss", "How much did Marrowick spend on advertising in 2022?"),
    Question("near miss", "Who bought the swimming pool business?"),
    Question("near miss", "What interest rate do the convertible notes bear?"),
    Question("near miss", "Which union represents the employees in Suzhou?"),
    Question("near miss", "What is the daily rental rate in dollars of a diesel pump?"),
    Question("near miss", "What revenue does management expect for 2028?"),
    Question("near miss", "How much did the company pay for the Quillon valve works?"),
    Question("near miss", "Who is the plant manager of Pune North?"),
    Question("near miss", "What are the names of the two contractors who died in Peru?"),
)

QUESTIONS = (*_STATEMENTS, *_BUSINESS, *_GOVERNANCE, *_EXHIBITS, *_NEAR_MISSES)
