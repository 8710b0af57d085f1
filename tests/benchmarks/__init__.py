"""Speed and memory, compared on this machine: ``python -m tests.benchmarks [name…]``.

One line per figure: name, value, unit, what it is against. Every comparison takes turns between the two ways, so that
another load on the machine meets both. Nothing here is asserted.
"""
