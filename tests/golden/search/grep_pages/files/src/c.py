beta(
