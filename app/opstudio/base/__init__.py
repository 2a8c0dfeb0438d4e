"""What every other package may use: findings, errors, types, files, discovery. Standard library only."""
