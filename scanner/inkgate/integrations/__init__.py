"""Hosts that inkgate plugs into."""
