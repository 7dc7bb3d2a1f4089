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
  /** The pages of public services. */
  readonly services: Group
}

/** Reads the navigation from the README and the page of the API, so that they lead to the same pages. */
export async function readNavigation(root: string): Promise<Navigation> {
  const readme = await readFile(path.join(root, 'README.md'), 'utf8')
  const [, chapter = ''] = readme.split('\n## Where to go\n')
  const roles = [...chapter.matchAll(/^\| an? (.+?) \|(.*)\|$/gm)].map(([, role = '', cells = '']) =>
    group(role, cells),
  )
  const [lookUp = ''] = /^To look up:[^]*?\n\n/m.exec(chapter) ?? []
  const api = await readFile(path.join(root, 'docs/reference/api.md'), 'utf8')
  const [services = ''] = /^\| \[[^]*?\n\n/m.exec(api) ?? []
  return { roles, lookUp: group('reference', lookUp), services: group('API', services) }
}

function group(name: string, text: string): Group {
  const links = text.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)
  return {
    text: capital(name),
    items: [...links].map(([, title = '', target = '']) => ({
      text: capital(title),
      link: `/${target
        .replace(/^(?:\.\.\/)*/, '')
        .replace(/(^|\/)README\.md/, '$1')
        .replace(/\.proto$/, '.md')}`,
    })),
  }
}

/** Names such as argocd-cm stay as they are. */
function capital(text: string): string {
  return text.replace(/^[a-z](?=[a-z]*(?: |$))/, (letter) => letter.toUpperCase())
}
