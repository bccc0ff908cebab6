"""onecast doctor: facts (what a file says of itself), costs (what the model predicts), findings (a
function for each illness), measure (the remedies, tried on copies), show."""
