//! Tells the linker what a Node addon needs; without the `node` feature there is nothing to do.

fn main() {
    #[cfg(feature = "node")]
    napi_build::setup();
}
