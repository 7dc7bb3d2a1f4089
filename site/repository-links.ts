import { cp, mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

/** The links of pages to other files of the repository. */
interface RepositoryLinks {
  /** Makes links to READMEs lead to the pages of their directories, to protos to theirs, and to other files to copies in `source/`. */
  readonly rewriteLinks: (markdown: MarkdownRenderer) => void
  /** Copies the files that pages link to into the built site. */
  readonly copyFiles: (directory: string) => Promise<void>
}

/** Returns what a site needs whose pages are the Markdown of the repository in `root`. */
export function linkRepository(root: string): RepositoryLinks {
  const linked = new Set<string>()

  function rewritten(href: string, page: string): string {
    if (/^(?:[a-z]+:|#|\/)/.test(href)) return href
    const [target = '', anchor] = href.split('#', 2)
    const file = path.posix.join(path.posix.dirname(page), target)
    const hash = anchor === undefined ? '' : `#${anchor}`
    if (file.endsWith('.md')) return `/${file.replace(/(^|\/)README\.md$/, '$1index.md')}${hash}`
    if (file.endsWith('.proto')) return `/${file.replace(/\.proto$/, '.md')}`
    linked.add(file)
    return `/source/${file}.txt`
  }

  return {
    rewriteLinks(markdown) {
      markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
        const page = path.relative(root, env.path)
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const href = token.type === 'link_open' ? token.attrGet('href') : null
          if (href !== null) token.attrSet('href', rewritten(href, page))
        }
      })
    },
    async copyFiles(directory) {
      for (const file of linked) {
        const copy = path.join(directory, 'source', `${file}.txt`)
        await mkdir(path.dirname(copy), { recursive: true })
        await cp(path.join(root, file), copy)
      }
    },
  }
}
