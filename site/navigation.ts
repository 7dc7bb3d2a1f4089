import { readFile } from 'node:fs/promises'
import path from 'node:path'

interface Group {
  readonly text: string
  readonly items: { readonly text: string; readonly link: string }[]
}

/** The navigation of the site, as the README's last chapter has it. */
interface Navigation {
  /** The pages of each role. */
  readonly roles: readonly Group[]
  /** The pages of the paragraph that begins with "To look up". */
  readonly lookUp: Group
}

/** Reads the navigation from the README, so that both lead to the same pages. */
export async function readNavigation(root: string): Promise<Navigation> {
  const readme = await readFile(path.join(root, 'README.md'), 'utf8')
  const [, chapter = ''] = readme.split('\n## Where to go\n')
  const roles = [...chapter.matchAll(/^\| an? (.+?) \|(.*)\|$/gm)].map(([, role = '', cells = '']) =>
    group(role, cells),
  )
  const [lookUp = ''] = /^To look up:[^]*?\n\n/m.exec(chapter) ?? []
  return { roles, lookUp: group('reference', lookUp) }
}

function group(name: string, text: string): Group {
  const links = text.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)
  return {
    text: capital(name),
    items: [...links].map(([, title = '', target = '']) => ({
      text: capital(title),
      link: `/${target.replace(/(^|\/)README\.md/, '$1')}`,
    })),
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
