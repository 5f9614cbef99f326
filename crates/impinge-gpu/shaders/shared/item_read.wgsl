// Items that all lanes look at one after the other: every lane reads every one.

// What a lane reads of the next eight: nothing.
fn read_ahead(from_item: u32, lane: u32, end: u32) -> u32 {
    return from_item;
}

// One of them, after so many.
fn hand_round(from_item: u32, after: u32) -> Item {
    return item(from_item + after);
}
