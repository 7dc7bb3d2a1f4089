# The environment in which services keep their memory small, for a script that then starts one.

# By default glibc gives each thread its own arena and keeps what is freed there. The threads of V8 that compile WebAssembly free
# hundreds of MiB: with one arena, and pieces from 32 KiB on mapped, the memory goes back. Measured by `npm run bench -- memory`.
export MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=32768
# New objects of V8 get up to 96 MiB by default; with less, no measurable time is lost.
export NODE_OPTIONS="--max-semi-space-size=8 ${NODE_OPTIONS:-}"
# Options of V8 that NODE_OPTIONS may not have, for the command line of node: collect garbage when a heap has grown by 30 %, buffers
# included, rather than when it has doubled.
memory_flags='--heap-growing-percent=30 --external-memory-accounted-in-global-limit'
