from thumbindex.terms import content_terms, specific_terms, terms


def test_words_are_stemmed_and_lower_cased():
    assert terms("Operating Expenses") == terms("operated expense")


def test_numbers_lose_their_thousands_separators_and_keep_decimals():
    assert terms("$1,577.50 in 2018") == ["1577.50", "in", "2018"]


def test_scripts_without_spaces_become_pairs_of_characters():
    assert terms("東京都 A4") == ["東京", "京都", "a", "4"]


def test_compatibility_forms_and_possessives_are_one_word():
    assert terms("ﬁnance company’s") == terms("finance company")


def test_content_terms_leave_out_stop_words_unless_there_is_nothing_else():
    assert content_terms("What is the revenue?") == terms("revenue")
    assert content_terms("What is it?") == terms("what is it")


def test_names_and_figures_of_a_question_stand_for_one_thing():
    names, figures = specific_terms("What did Northwind pay for the Harbor plant in FY2021 and 2022?")
    assert names == tuple(terms("Northwind Harbor"))
    assert figures == ("2021", "2022")


def test_the_word_that_begins_a_question_and_words_that_ask_are_no_names():
    assert specific_terms("Revenue: Which Year Was Highest?") == ((), ())
