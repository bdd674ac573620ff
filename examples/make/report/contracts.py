"""Tables of the contracts and lists among the exhibits."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from make.manuscript import Block, Text
from make.report import voices
from make.tables import Row, Table, line, table, text_table, total

__all__ = ["PARTS"]


def _exhibits() -> Iterable[Block]:
    rows = [
        ("3.1", "Articles of incorporation, as amended May 8, 2020 (filed earlier)"),
        ("3.2", "[[bylaws]]Code of regulations, as amended November 2, 2023 (filed earlier)"),
        ("4.1", "Indenture for the 5.40% Notes due 2036"),
        ("4.2", "Description of securities"),
        ("10.1", "Fourth amended and restated credit agreement"),
        ("10.2", "2019 Equity Plan"),
        ("10.3", "Supply agreement for hollow-fiber polymer"),
        ("10.4", "Severance plan for executives"),
        ("10.5", "Collective agreement, Calder Falls"),
        ("10.6", "Design-build contract, Port Amity"),
        ("14", "Code of ethics"),
        ("19", "Policy on trading in securities"),
        ("21", "Subsidiaries"),
        ("23", "Consent of Lindqvist Harrow LLP"),
        ("31.1, 31.2", "Certifications of the chief executive officer and the chief financial officer"),
        ("32", "Certification under the penal code"),
        ("97", "Policy on the recovery of pay"),
        ("99.1", "Environmental reports of the plants"),
        ("99.2", "Product families"),
        ("99.3", "Markets by country"),
        ("99.4", "Suppliers"),
        ("99.5", "Large projects"),
        ("99.6", "Service depots"),
        ("99.7", "Research projects"),
        ("99.8", "Sites being cleaned up"),
        ("99.9", "Questions from shareholders"),
        ("99.10", "History of the company"),
        ("99.11", "Charters of the committees"),
        ("99.12", "Investments of the year"),
        ("99.13", "Agreements with employees"),
        ("99.14", "Families of patents"),
        ("99.15", "Climate and water statement"),
        ("99.16", "General terms of sale and rental"),
    ]
    yield text_table("", ("Number", "Exhibit"), rows, (1, 6))


def _commitments() -> Iterable[Block]:
    lenders = {
        "[[agent-commitment]]Penhallow National Bank": 120,
        "First Lakeshore Bank": 100,
        "Banque du Vieux Pont": 85,
        "Kontor Bank Hallingdorf AG": 85,
        "Westmarch Bank of Commerce": 80,
        "Saffron Delta Bank": 70,
        "Norrland Sparbank": 60,
        "Crown & Thistle Bank plc": 60,
        "Prairie Trust Company": 50,
        "Bank of the Eleven Islands": 40,
    }
    rows = [line(name, value) for name, value in lenders.items()]
    rows.append(total("Total", sum(lenders.values()), sign="$"))
    yield table("", ["Lender", "Commitment"], rows, unit="In millions of dollars")


def _pricing() -> Iterable[Block]:
    rows = [
        line("A- / A3 or better", "0.080", "0.920"),
        line("BBB+ / Baa1", "0.100", "1.025"),
        line("[[pricing-bbb]]BBB / Baa2", "0.125", "1.125"),
        line("BBB- / Baa3", "0.175", "1.325"),
        line("Lower or none", "0.250", "1.625"),
    ]
    yield table("", ["Rating", "Facility fee", "Applicable Margin"], rows, unit="In percent a year")


def _term_loan() -> Iterable[Block]:
    yield Text(
        "The loan was drawn on March 1, 2024. [[term-loan-margin]]Its margin over Term SOFR is 1.25 percentage points "
        "while the rating is BBB/Baa2 and changes by 0.125 points for each step of the rating. Instalments of "
        "$6,250,000 are due on the last business day of March, June, September and December. It is held by the "
        "lenders of Schedule 1 in the proportion of their Commitments."
    )


def _targets() -> Iterable[Block]:
    rows = [
        line("2025", "0.80", "3.1"),
        line("[[target-2026]]2026", "0.76", "3.0"),
        line("2027", "0.72", "2.9"),
        line("2028", "0.69", "2.8"),
        line("2029", "0.66", "2.7"),
    ]
    columns = ["Year", "Recordable injuries per 200,000 hours", "Water, cubic meters per ton"]
    yield table("", columns, rows)


def _liens() -> Iterable[Block]:
    rows = [
        ("County of Bellhaven", "Equipment financed by industrial revenue bonds due 2033", "30.0"),
        ("Forklift Finance Corporation", "Forklifts in eleven plants", "4.2"),
        ("Sparbank Västanfors", "Land register, plant in Sweden", "2.6"),
        ("[[lien-pune]]Deccan Development Bank", "Machines of Marrowick Pumps India", "7.4"),
    ]
    made = tuple(Row(row) for row in rows)
    columns = ("Creditor", "Security", "Millions of dollars")
    yield Table(columns, made, text_columns=2, shares=(2, 3.4, 1.2))


def _wages() -> Iterable[Block]:
    rows = [
        line("Grade 1, helper", "24.18"),
        line("Grade 2, assembler", "27.05"),
        line("[[wage-machinist]]Grade 3, machinist", "31.46"),
        line("Grade 4, molder and furnace operator", "32.90"),
        line("Grade 5, tool maker and electrician", "36.72"),
        line("Supplement for the second shift", "1.40"),
        line("Supplement for the third shift", "2.10"),
    ]
    yield table("", ["Grade", "Dollars an hour"], rows)


def _polymer() -> Iterable[Block]:
    rows = [
        line("[[fiber-diameter]]Outer diameter", "1.30 millimeters", "plus or minus 0.04"),
        line("Inner diameter", "0.70 millimeters", "plus or minus 0.03"),
        line("Strength", "6.5 newtons", "at least"),
        line("Permeability at 1 bar", "820 liters per square meter and hour", "at least"),
        line("Bubble point", "2.9 bar", "at least"),
        line("Residual solvent", "40 parts per million", "at most"),
    ]
    made = tuple(rows)
    yield Table(("Property", "Value", "Tolerance"), made, text_columns=3, shares=(2, 3, 2))


def _subsidiaries() -> Iterable[Block]:
    rows = [Row(tuple(row.split("|"))) for row in (voices.TEXT / "subsidiaries.txt").read_text("utf-8").splitlines()]
    yield Table(("Company", "Seat", "Business"), tuple(rows), text_columns=3, shares=(3.2, 2, 3))


PARTS: dict[str, Callable[[], Iterable[Block]]] = {
    "exhibit-list": _exhibits,
    "commitments": _commitments,
    "pricing-grid": _pricing,
    "term-loan-schedule": _term_loan,
    "sustainability-targets": _targets,
    "existing-liens": _liens,
    "wages": _wages,
    "polymer-specification": _polymer,
    "subsidiaries": _subsidiaries,
}
