"""onecast doctor: facts (what a file says of itself), costs (what the model predicts), findings (a
function for each finding), measure (the remedies, tried on copies), show."""
