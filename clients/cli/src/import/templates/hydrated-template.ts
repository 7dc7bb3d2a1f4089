import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { pairText } from '@wadi/rendering/parameters/yaml-edit/block-text.ts'
import type { Splice } from '@wadi/rendering/parameters/yaml-edit/yaml-splice.ts'
import type { SyncSource } from '../hydrated-spec.ts'
import type { SourceBlock } from './template-document.ts'

const helmKey = /^["']?helm["']?\s*:/

/** The fields that a source of a template gets, as texts that may have actions. */
export interface TemplateChanges {
  readonly syncSource: SyncSource
  readonly targetRevision?: string
  readonly path?: string
  readonly releaseName?: string
}

/**
 * Replaces the source in a template by `sourceHydrator`. Actions stay, and those that indent do so by two more blanks.
 * @throws InvalidInputError for a list of sources of which one would need another field, and for a chart whose `helm` is not a line of its own
 */
export function hydratedTemplate(block: SourceBlock, changes: TemplateChanges): Splice {
  const [first, ...rest] = block.lines
  const last = block.lines.at(-1)
  if (!first || !last) throw new Error('a block has no lines')
  const [outer, inner] = [' '.repeat(block.indentation), ' '.repeat(block.indentation + 2)]
  const name = block.key === 'source' ? 'drySource' : 'drySources'
  const comment = first.text.slice(first.text.indexOf(':') + 1)
  const moved = withFields(
    rest.map(({ text }) => text),
    block,
    changes,
  ).map(deeper)
  const { repoURL, targetBranch, path } = changes.syncSource
  const text = [
    `${outer}sourceHydrator:`,
    `${inner}${name}:${comment}`,
    ...moved,
    `${inner}syncSource:`,
    ...(repoURL === undefined ? [] : [`${inner}  ${field('repoURL', repoURL)}`]),
    `${inner}  ${field('targetBranch', targetBranch)}`,
    `${inner}  ${field('path', path)}`,
  ]
  return { start: first.start, end: last.end, text: text.map((line) => `${line}\n`).join('') }
}

function withFields(
  lines: readonly string[],
  { key, indentation }: SourceBlock,
  { targetRevision, path, releaseName }: TemplateChanges,
): string[] {
  const fields = Object.entries({ targetRevision, path }).filter(([, value]) => value !== undefined)
  if (fields.length === 0 && releaseName === undefined) return [...lines]
  if (key === 'sources') {
    throw new InvalidInputError(
      'each of its sources needs targetRevision, and a chart helm.releaseName; write them into the template',
    )
  }
  const written = lines.find((line) => /^\s*[A-Za-z]+:/.test(line)) ?? ' '.repeat(indentation + 2)
  const blanks = written.slice(0, written.length - written.trimStart().length)
  const added = fields.map(([name, value = '']) => `${blanks}${field(name, value)}`)
  if (releaseName === undefined) return [...lines, ...added]
  const release = field('releaseName', releaseName)
  const helm = lines.findIndex((line) => line.startsWith(blanks) && helmKey.test(line.slice(blanks.length)))
  if (helm >= 0 && lines[helm]?.trim() !== 'helm:') {
    throw new InvalidInputError(
      'its source has more than helm: on that line, so that its release name cannot be added; write helm.releaseName into the template',
    )
  }
  if (helm < 0) return [...lines, ...added, `${blanks}helm:`, `${blanks}  ${release}`]
  return [...lines.slice(0, helm + 1), `${blanks}  ${release}`, ...lines.slice(helm + 1), ...added]
}

function deeper(line: string): string {
  if (line.trim() === '') return line
  const moved = line.replace(/\b(n?indent)(\s+)(\d+)/g, (_, name: string, blanks: string, width: string) =>
    [name, blanks, Number(width) + 2].join(''),
  )
  return `  ${moved}`
}

function field(name: string, text: string): string {
  return text.includes('{{') ? `${name}: "${text}"` : pairText(name, text, 0).trimEnd()
}
