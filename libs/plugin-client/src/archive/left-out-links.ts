import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import type { PluginCall } from '@wadi/rendering/renderers/plugin/plugins.ts'
import type { Archive } from './archive-packer.ts'

const maxShown = 5

/**
 * Returns warnings about the symlinks that a plugin does not receive, because no archive may have them.
 * @throws InvalidInputError for one in what decides the result: the application's directory, and the paths that its
 *   annotation names
 */
export function leftOutWarnings(
  { leftOut }: Pick<Archive, 'leftOut'>,
  { inputs, path }: Pick<PluginCall, 'inputs' | 'path'>,
): string[] {
  if (leftOut.size === 0) return []
  const isWhole = inputs.includes('')
  const read = [...leftOut].filter(([link]) => !isWhole || path === '' || link.startsWith(`${path}/`))
  refuseLeftOut(
    { leftOut: new Map(read) },
    'the plugin',
    ', or name the files that it needs in the annotation argocd.argoproj.io/manifest-generate-paths',
  )
  const links = Array.from(leftOut, ([link, reason]) => `${link} ${reason}`)
  return [`symlinks outside of the application's directory are left out: ${someInLine(links, maxShown)}`]
}

/**
 * Refuses symlinks that no archive may have.
 * @param reader who would miss them
 * @throws InvalidInputError for the first
 */
export function refuseLeftOut({ leftOut }: Pick<Archive, 'leftOut'>, reader: string, remedy = ''): void {
  for (const [link, reason] of leftOut) {
    throw new InvalidInputError(
      `repository contains out-of-bounds symlinks. file: ${link} ${reason}, and is where ${reader} may read it; remove it${remedy}`,
    )
  }
}
