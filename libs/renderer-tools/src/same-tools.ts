import { UnavailableError } from '@wadi/errors/domain-error.ts'
import type { Tool } from './find-tools.ts'
import { assertSameProgram, exactVersion } from './tool-program.ts'

/** Runs a program where the render runs. */
type Run = (argv: readonly string[]) => Promise<{ readonly output: Uint8Array }>

/**
 * Does what runs tools, and makes sure that before and after it their programs are those whose versions are recorded. What hands over to
 * another program is asked for its version both times.
 * @throws UnavailableError when one was replaced, whatever came of the run
 */
export async function withSameTools<Result>(
  tools: readonly Tool[],
  ask: Run,
  run: () => Promise<Result>,
): Promise<Result> {
  await assertSame(tools, ask)
  try {
    return await run()
  } finally {
    await assertSame(tools, ask)
  }
}

async function assertSame(tools: readonly Tool[], ask: Run): Promise<void> {
  for (const { program, version } of tools) {
    if (program === undefined) continue
    assertSameProgram(program)
    const { launches, path, sha256 } = program
    if (launches === undefined) continue
    const { output } = await ask([path, ...launches.args])
    const reported = launches.read(Buffer.from(output).toString())
    const now = reported && exactVersion(reported, sha256)
    if (now === version) continue
    throw new UnavailableError(
      `${path} runs ${now ?? 'a program that reports no version'} and not ${version} as when it was found; it is tried again`,
    )
  }
}
