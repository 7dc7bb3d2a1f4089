import { setFlagsFromString } from 'node:v8'

/** The work of a function after which V8 optimizes it, by default. @internal a test compares it with V8 */
export const usualTieringBudget = 13_000_000

/**
 * Compiles a program of which V8 optimizes a function after ten times the usual work: for the largest functions of Go the optimizing
 * compiler takes tens of MiB, which two or three of them reach in every process.
 */
export async function compileOptimizedLate(
  wasm: Parameters<typeof WebAssembly.compile>[0],
): Promise<WebAssembly.Module> {
  // Each function gets its budget when the module is compiled. A module that another thread compiles meanwhile is optimized later, too.
  setFlagsFromString(`--wasm-tiering-budget=${10 * usualTieringBudget}`)
  try {
    return await WebAssembly.compile(wasm)
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${usualTieringBudget}`)
  }
}
