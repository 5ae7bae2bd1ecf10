"""Experiments: opponents play each other many times, and the games are counted.

The study of hosts: guests.py and hosts.py sit down, games.py plays and notes, study.py does so in many
processes and can be broken off, measures.py sums up, tables.py and plots.py show it.
"""
