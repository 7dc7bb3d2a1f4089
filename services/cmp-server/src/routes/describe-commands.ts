import type { CmpServerContext } from '../context.ts'

/** Tells what can be run here beside a plugin. */
export function describeCommands({ scripts, ytt }: Pick<CmpServerContext, 'scripts' | 'ytt'>) {
  return () => ({
    runsScripts: scripts.refusedBecause === '',
    scriptsRefusedBecause: scripts.refusedBecause,
    yttVersion: ytt.version,
  })
}
