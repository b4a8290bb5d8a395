"""What is read: decoding, hidden characters, folding, unwrapping, streams and views."""
