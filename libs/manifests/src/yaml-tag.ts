import type { DocumentDirective } from 'js-yaml'

const corePrefix = 'tag:yaml.org,2002:'

/**
 * Returns the name of a YAML core tag (`int` for `!!int` or `!<tag:yaml.org,2002:int>`), the empty string for the
 * non-specific tag `!`, and undefined for any other tag, which Kubernetes takes no notice of.
 */
export function coreTagName(rawTag: string, directives: readonly DocumentDirective[]): string | undefined {
  if (rawTag === '!') return ''
  const fullTag = expandTag(rawTag, directives)
  return fullTag.startsWith(corePrefix) ? fullTag.slice(corePrefix.length) : undefined
}

function expandTag(rawTag: string, directives: readonly DocumentDirective[]): string {
  if (rawTag.startsWith('!<')) return rawTag.slice(2, -1)
  const handle = /^!(?:[0-9A-Za-z-]*!)?/.exec(rawTag)?.[0] ?? ''
  for (const directive of directives) {
    if (directive.kind === 'tag' && directive.handle === handle) {
      return directive.prefix + rawTag.slice(handle.length)
    }
  }
  return handle === '!!' ? corePrefix + rawTag.slice(handle.length) : rawTag
}
