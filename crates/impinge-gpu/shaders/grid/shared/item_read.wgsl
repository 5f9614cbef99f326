// Items that all lanes test one after the other: every lane reads every one.

// Nothing is prefetched.
fn read_ahead(from_item: u32, lane: u32, end: u32) -> u32 {
    return from_item;
}

// Item number `after` of the next eight.
fn hand_round(from_item: u32, after: u32) -> Item {
    return item(from_item + after);
}
