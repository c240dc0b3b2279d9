"""What the array forms share: carrying state from piece to piece, and the frontier before each tuple."""
