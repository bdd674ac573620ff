"""Directors, officers, auditors and owners: who they are and what they are paid."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from make.manuscript import Block, Text
from make.report import voices
from make.tables import Row, Table, line, table, text_table, total

__all__ = ["PARTS"]


def _executives() -> Iterable[Block]:
    rows = [
        ("Thaddeus K. Okonjo-Brandt", "58", "Chair and Chief Executive Officer", "2019"),
        ("Maribel Oyelaran-Quist", "51", "[[cfo]]Executive Vice President and Chief Financial Officer", "2021"),
        ("Hollis Trevannion", "56", "Executive Vice President and Chief Operating Officer", "2020"),
        ("Ingeborg Falk-Desmond", "54", "President, Water Systems", "2018"),
        ("Dr. Chidi Lanster", "49", "President, Process Filtration", "2022"),
        ("Wolfram Pruett", "60", "President, Flow Control", "2017"),
        ("Saoirse Gallego", "47", "President, Field Services", "2023"),
        ("Nathaniel Obi-Carver", "53", "General Counsel and Secretary", "2016"),
        ("Yolanda Fitch-Marchetti", "55", "Chief People Officer", "2020"),
    ]
    yield text_table(
        "Executive officers at February 13, 2026", ("Name", "Age", "Office", "Since"), rows, (3, 0.6, 5, 0.8)
    )


def _directors() -> Iterable[Block]:
    for row in (voices.TEXT / "directors.txt").read_text("utf-8").splitlines():
        name, age, since, biography = row.split("|")
        yield Text(f"**{name}** ({age}), director since {since}. {biography}")


def _committees() -> Iterable[Block]:
    rows = [
        ("Audit", "Constance Bellweather (chair), Rafael Ibáñez-Thorne, Simone Achterberg-Lyle", "11"),
        (
            "[[compensation-committee]]Compensation",
            "Philippa Nwosu (chair), Anjali Rao-Kessler, Rafael Ibáñez-Thorne",
            "6",
        ),
        ("Governance", "Douglas P. Winterbourne (chair), Lucinda Abernathy-Roe, Philippa Nwosu", "5"),
        ("Risk and Technology", "Margit Solheim (chair), Emeka Wachira-Stone, Anjali Rao-Kessler", "7"),
    ]
    yield text_table("Committees of the Board in 2025", ("Committee", "Members", "Meetings"), rows, (1.6, 5, 0.9))


_PAY = {
    "Thaddeus K. Okonjo-Brandt": (1_250, 2_381, 4_640, 1_160, 623),
    "Maribel Oyelaran-Quist": (742, 848, 1_480, 370, 214),
    "Hollis Trevannion": (768, 878, 1_520, 380, 231),
    "Dr. Chidi Lanster": (611, 698, 960, 240, 142),
    "Wolfram Pruett": (604, 537, 880, 220, 168),
}


def _compensation() -> Iterable[Block]:
    rows = [
        line(("[[ceo-pay]]" if not place else "") + name, *values, sum(values))
        for place, (name, values) in enumerate(_PAY.items())
    ]
    columns = ["Name", "Salary", "Bonus", "Stock awards", "Options", "Other", "Total"]
    yield table("Compensation for 2025", columns, rows, unit="In thousands of dollars")


def _bonus() -> Iterable[Block]:
    rows = [
        line("[[bonus-income]]Operating income", "50", "450", "475", "520", "507"),
        line("Free cash flow", "30", "290", "330", "370", "343"),
        line("Recordable injuries per 200,000 hours", "10", "0.95", "0.84", "0.73", "0.71"),
        line("Strategic goals", "10", "0", "3", "5", "by person"),
    ]
    columns = ["Measure, in millions of dollars", "Weight", "Least", "Target", "Most", "Result"]
    yield table("Measures of the annual bonus for 2025", columns, rows)


def _directors_pay() -> Iterable[Block]:
    names = ("Abernathy-Roe", "Achterberg-Lyle", "Wachira-Stone", "Bellweather", "Ibáñez-Thorne", "Solheim")
    extra = {"Bellweather": 65, "Solheim": 18, "Winterbourne": 18, "Nwosu": 18}
    rows = [
        line(
            f"[[pay-{name}]]" * (name == "Bellweather") + name, 105 + extra.get(name, 0), 155, 260 + extra.get(name, 0)
        )
        for name in (*names, "Winterbourne", "Rao-Kessler", "Nwosu")
    ]
    yield table(
        "Compensation of directors for 2025", ["", "Cash", "Shares", "Total"], rows, unit="In thousands of dollars"
    )


def _ownership() -> Iterable[Block]:
    rows = [
        ("[[largest-holder]]Granary Street Index Funds", "12,410,000", "10.8"),
        ("Lantern Hill Capital Management", "8,952,000", "7.8"),
        ("Marrowick family trusts", "6,318,000", "5.5"),
        ("Thaddeus K. Okonjo-Brandt", "684,000", "0.6"),
        ("Maribel Oyelaran-Quist", "148,000", "0.1"),
        ("Hollis Trevannion", "171,000", "0.1"),
        ("All 18 directors and executive officers together", "1,936,000", "1.7"),
    ]
    made = tuple(Row(row) for row in rows)
    yield Table(("Owner", "Shares", "Percent"), made, title="Holders of more than 5 percent, and management")


def _auditor_fees() -> Iterable[Block]:
    yield table(
        "Fees of Lindqvist Harrow LLP",
        ["", "2025", "2024"],
        [
            line("Audit", 8_640, 8_290),
            line("Services related to the audit", 410, 730),
            line("[[tax-fees]]Tax services", 385, 360),
            line("Other", 15, 15),
            total("Total", 9_450, 9_395, sign="$"),
        ],
        unit="In thousands of dollars",
    )


def _signatures() -> Iterable[Block]:
    rows = [
        ("/s/ Thaddeus K. Okonjo-Brandt", "Chair, Chief Executive Officer and Director"),
        ("/s/ Maribel Oyelaran-Quist", "Chief Financial Officer"),
        ("/s/ Leopold Marchetti-Vance", "[[controller]]Controller and principal accounting officer"),
        ("/s/ Constance Bellweather", "Lead independent director"),
        ("Lucinda Abernathy-Roe, Simone Achterberg-Lyle, Emeka Wachira-Stone, Rafael Ibáñez-Thorne", "Directors*"),
        ("Margit Solheim, Douglas P. Winterbourne, Anjali Rao-Kessler, Philippa Nwosu", "Directors*"),
    ]
    yield text_table("", ("Signature", "Capacity"), rows, (1, 1))
    yield Text("* Signed by Nathaniel Obi-Carver under a power of attorney.", "note")


PARTS: dict[str, Callable[[], Iterable[Block]]] = {
    "executives": _executives,
    "directors": _directors,
    "committees": _committees,
    "compensation-table": _compensation,
    "directors-pay": _directors_pay,
    "ownership": _ownership,
    "auditor-fees": _auditor_fees,
    "signatures": _signatures,
    "bonus-table": _bonus,
}
