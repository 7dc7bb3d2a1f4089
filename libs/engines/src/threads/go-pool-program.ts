import { compileGoProgram, type GoProgramData, type GoProgramName } from '@wadi/gotemplate/go-program.ts'
import type { PoolProgram } from './pool-options.ts'

/** Returns the program of a pool whose threads have a Go program each, which is compiled once for all of them. */
export function goPoolProgram(script: URL, name: GoProgramName): PoolProgram {
  const load = async (): Promise<GoProgramData> => ({ program: await compileGoProgram(name) })
  return { script, tool: name.split('-', 1).join(), load }
}
