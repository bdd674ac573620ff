from dataclasses import dataclass, field

import pytest
from samples import Weights, document, tree

from thumbindex.decision.base import Limits, Noul, Request, Usage
from thumbindex.decision.batch import Decider
from thumbindex.decision.budget import Budget, Prices
from thumbindex.decision.forecasting import Forecaster
from thumbindex.decision.waiting import Throttle
from thumbindex.errors import BudgetSpentError, OptionError
from thumbindex.search import SearchOptions, find

TOKENS = 100


@dataclass
class Paid(Weights):
    """As `Weights`, at a server: each request is one pack and takes a hundred tokens, as was forecast."""

    identity: str = "paid"
    sent: list[Request] = field(default_factory=list)

    def packs(self, requests):
        return [[position] for position in range(len(requests))]

    def forecast(self, requests):
        return Usage(len(requests), TOKENS * len(requests), 0, 0.0, len(requests))

    def decide(self, requests):
        self.sent += requests
        return [
            type(decision)(decision.question, decision.probabilities, decision.model, Usage(1, TOKENS, 0, 0.0, 1))
            for decision in super().decide(requests)
        ]


def paid(**budget):
    # One at a time, so that what is reached before the budget ends is certain.
    model = Paid(limits=Limits(max_tokens=10_000))
    return Decider(model, prices=Prices(10.0), budget=Budget(**budget), throttle=Throttle(1, 1))


DOCUMENT = document(*[[f"{n} words on page {n}", "8 is the answer" if n == 5 else "1 thing"] for n in range(1, 9)])
# The model reads the first number of an option: every title and line has one.
TREE = tree(("1 One", 1, 2), ("2 Two", 3, 4), ("9 Three", 5, 6), ("4 Four", 7, 8))


def search(model, **options):
    return find("what is the answer", DOCUMENT, TREE, model, SearchOptions(**options))


def checks(count):
    return [Request({"question": "?", "text": f"text {n}"}, Noul()) for n in range(count)]


def test_what_was_spent_is_priced():
    model = paid()
    model.decide(checks(3))
    assert model.usage == Usage(3, 300, 0, 0.0, 3, pytest.approx(0.003))


def test_without_a_price_the_cost_is_not_known():
    model = Decider(Paid())
    model.decide(checks(1))
    assert model.usage.cost_usd is None
    assert (model.usage + Usage()).cost_usd is None


@pytest.mark.parametrize("budget", [{"max_tokens": 250}, {"max_cost_usd": 0.0025}])
def test_the_request_that_might_pass_the_budget_is_not_sent(budget):
    model = paid(**budget)
    with pytest.raises(BudgetSpentError, match="might pass the budget"):
        model.decide(checks(5))
    assert len(model.model.sent) == 2
    assert model.usage.tokens <= 250
    assert len(model.decide(checks(2))) == 2, "what was paid for is there"


def test_side_by_side_requests_do_not_pass_it_together():
    model = Decider(Paid(), prices=Prices(10.0), budget=Budget(max_tokens=1_050), throttle=Throttle(8, 8))
    with pytest.raises(BudgetSpentError):
        model.decide(checks(60))
    assert model.usage.tokens <= 1_050


def test_what_was_paid_for_in_a_call_that_failed_is_counted_once_when_it_is_delivered():
    model = paid(max_tokens=250)
    with pytest.raises(BudgetSpentError):
        model.decide(checks(5))
    delivered = sum((decision.usage for decision in model.decide(checks(2))), Usage())
    assert delivered == model.usage
    assert sum((decision.usage for decision in model.decide(checks(2))), Usage()) == Usage()


def test_a_budget_in_dollars_needs_a_price():
    with pytest.raises(OptionError, match="input_price"):
        Decider(Paid(), budget=Budget(max_cost_usd=1))


def test_a_model_in_the_process_is_free():
    model = Decider(Weights(), budget=Budget(max_cost_usd=0))
    model.decide(checks(1))
    assert model.usage.cost_usd == 0


@pytest.mark.parametrize("budget", [{"max_cost_usd": -1}, {"max_tokens": -1}, {"max_cost_usd": float("nan")}])
def test_a_budget_below_nothing_is_refused(budget):
    with pytest.raises(OptionError):
        Budget(**budget)


def test_a_search_that_is_not_stopped_says_nothing_about_it():
    assert search(paid()).stopped == ""


@pytest.mark.parametrize("most", range(0, 2_000, 100))
def test_a_search_stops_before_it_passes_the_budget_with_what_it_found(most):
    model = paid(max_tokens=most)
    whole = search(paid())
    found = search(model)
    assert model.usage.tokens <= most
    assert found.usage.tokens <= most
    assert bool(found.stopped) == (whole.usage.tokens > most)
    assert found.pages, "the best pages known by then"
    assert len(found.ranking) == len(whole.ranking)
    if not found.stopped:
        assert [page.page for page in found.pages] == [page.page for page in whole.pages]


def test_pages_that_were_checked_before_the_end_count():
    model = paid(max_tokens=500)
    found = search(model, strategy="flat")
    assert found.stopped
    assert found.answered == any(page.probability >= 0.5 for page in found.pages)
    assert 1 < found.usage.decisions <= 5


def test_an_estimate_asks_nothing_and_errs_upward():
    model = paid()
    estimate = search(Forecaster(model)).usage
    assert model.model.sent == []
    spent = search(paid()).usage
    assert estimate.cost_usd >= 0.5 * spent.cost_usd
    assert estimate.requests > 0
