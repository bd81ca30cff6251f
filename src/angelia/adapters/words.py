"""What counts as a word in a search, for every adapter that searches."""

import re

# Letters and digits, with whatever accents stand behind them as characters of their own. An
# underscore parts words as a space does.
WORD = re.compile(r"(?:[^\W_][\u0300-\u036f]*)+")
