//! A search written down step by step, in words.
