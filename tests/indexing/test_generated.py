import pytest

from thumbindex.document import Box, Document, Line, Page, PageRange
from thumbindex.errors import GenerationError, OptionError
from thumbindex.generation.base import Prompt, Written
from thumbindex.indexing.generated import SummaryBudget, write_summaries
from thumbindex.tree import Node, SummarySource, Tree


def page(number, *texts):
    return Page(number, str(number), 612, 792, lines=tuple(Line(t, Box(72, 72, 300, 84), 10) for t in texts))


DOCUMENT = Document(
    "0" * 16, "report.pdf", "0" * 64, (page(1, "Pumps", "We make pumps."), page(2, "Risks", "They fail."))
)
TREE = Tree(
    (
        Node(
            "Business",
            PageRange(1, 2),
            summary="business",
            children=(Node("Pumps", PageRange(1, 1), summary="pumps"), Node("Risks", PageRange(2, 2), summary="risks")),
        ),
    )
)


class Writer:
    """Writes what the function says; remembers what it was asked."""

    name = "writer-1"

    def __init__(self, answer):
        self.answer = answer
        self.prompts: list[Prompt] = []

    def write(self, prompt):
        self.prompts.append(prompt)
        return Written(self.answer(prompt), 100, 100)


def about(prompt: Prompt) -> str:
    return "About " + prompt.text.split("Section: ")[1].split("\n")[0]


def ignore(key, text):
    pass


def summaries(tree):
    return {node.title: (node.summary, node.summary_source) for _, node in tree.walk()}


def test_every_section_is_written_about_from_its_own_text_the_outermost_first():
    writer = Writer(about)
    found = summaries(write_summaries(TREE, DOCUMENT, writer, {}, ignore))
    assert found["Pumps"] == ("About Business › Pumps", SummarySource.GENERATED)
    assert next(p.text.split("Section: ")[1].split("\n")[0] for p in writer.prompts) == "Business"
    assert "They fail." not in writer.prompts[1].text


def test_a_section_the_model_fails_on_keeps_its_extractive_summary():
    def answer(prompt):
        if "Section: Business › Pumps" in prompt.text:
            raise GenerationError("writer-1 did not write")
        return about(prompt)

    found = summaries(write_summaries(TREE, DOCUMENT, Writer(answer), {}, ignore))
    assert found["Pumps"] == ("pumps", SummarySource.EXTRACTIVE)
    assert found["Risks"][1] == SummarySource.GENERATED


def test_siblings_never_have_the_same_summary():
    found = summaries(write_summaries(TREE, DOCUMENT, Writer(lambda prompt: "The same."), {}, ignore))
    assert found["Pumps"][0] != found["Risks"][0]


def test_what_was_written_before_is_not_written_again():
    kept = {}
    write_summaries(TREE, DOCUMENT, Writer(about), {}, kept.__setitem__)
    again = Writer(about)
    found = summaries(write_summaries(TREE, DOCUMENT, again, kept, ignore))
    assert again.prompts == []
    assert found["Risks"][0] == "About Business › Risks"


def test_an_interrupted_run_goes_on_where_it_stopped():
    kept = {}

    def interrupted(prompt):
        if len(kept) == 2:
            raise KeyboardInterrupt
        return about(prompt)

    with pytest.raises(KeyboardInterrupt):
        write_summaries(TREE, DOCUMENT, Writer(interrupted), {}, kept.__setitem__)
    rest = Writer(about)
    write_summaries(TREE, DOCUMENT, rest, kept, ignore)
    assert len(rest.prompts) == 1


def test_the_budget_is_never_passed():
    writer = Writer(about)
    found = summaries(write_summaries(TREE, DOCUMENT, writer, {}, ignore, SummaryBudget(max_tokens=300)))
    assert len(writer.prompts) == 1
    assert found["Business"][1] == SummarySource.GENERATED
    assert found["Pumps"] == ("pumps", SummarySource.EXTRACTIVE)


def test_a_rambling_answer_is_cut_at_a_sentence():
    long = " ".join(["One two three four five six seven eight nine ten."] * 20)
    found = summaries(write_summaries(TREE, DOCUMENT, Writer(lambda prompt: long + about(prompt)), {}, ignore))
    assert len(found["Business"][0].split()) == 80
    assert found["Business"][0].endswith("ten.")


def test_a_budget_of_nothing_is_refused():
    with pytest.raises(OptionError, match="max_tokens must be at least 1, not 0"):
        SummaryBudget(max_tokens=0)


def test_a_model_that_is_down_is_not_asked_for_every_section():
    def down(prompt):
        raise GenerationError("writer-1 did not write")

    many = Tree(tuple(Node(f"Part {n}", PageRange(1, 1), summary="x") for n in range(20)))
    writer = Writer(down)
    assert summaries(write_summaries(many, DOCUMENT, writer, {}, ignore))["Part 9"][1] == SummarySource.EXTRACTIVE
    assert len(writer.prompts) == 3
