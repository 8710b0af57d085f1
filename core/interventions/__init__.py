"""Ethical interventions: does a model that answers questions take advice? Zhao et al. (2021), https://arxiv.org/abs/2106.01465."""
