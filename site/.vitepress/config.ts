import path from 'node:path'
import { defineConfig } from 'vitepress'
import { headingAnchor } from '../../tools/documents.ts'
import { accessibleTheme } from '../accessible-theme.ts'
import { readNavigation } from '../navigation.ts'
import { showDoubleBraces } from '../double-braces.ts'
import { linkRepository } from '../repository-links.ts'

const root = path.resolve(import.meta.dirname, '../..')
const { roles, lookUp, services } = await readNavigation(root)
const linked = linkRepository(root)

export default defineConfig({
  title: 'Wadi',
  description: 'Hydrates DRY configuration in git into plain, reviewable manifests',
  lang: 'en',
  srcDir: root,
  srcExclude: ['!(docs|examples|plugins|site)/**/*.md', '**/node_modules/**'],
  // A README is the page of its directory.
  rewrites: (file) => file.replace(/(^|\/)README\.md$/, '$1index.md').replace(/^site\//, ''),
  outDir: path.join(root, 'dist/site'),
  cacheDir: path.join(root, '.cache/site'),
  transformHead: ({ siteData }) => [
    ['link', { rel: 'icon', href: `${siteData.base}icon.svg`, type: 'image/svg+xml' }],
  ],
  markdown: {
    anchor: { slugify: headingAnchor },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { gotemplate: 'go' },
    config: (markdown) => {
      linked.rewriteLinks(markdown)
      showDoubleBraces(markdown)
    },
  },
  buildEnd: async ({ outDir }) => linked.copyFiles(outDir),
  vite: {
    publicDir: path.join(root, 'clients/web/public'),
    plugins: [accessibleTheme()],
    // The index of the search, which is loaded by the first one.
    build: { chunkSizeWarningLimit: 2000 },
  },
  themeConfig: {
    logo: '/icon.svg',
    nav: [...roles, lookUp].map(({ text, items }) => ({ text, link: items[0]?.link ?? '/' })),
    sidebar: [...roles, lookUp, services].map((group) => ({ ...group, collapsed: true })),
    outline: [2, 3],
    notFound: { linkLabel: 'Take me home' },
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          // Guides answer more questions than the reasons for what they describe.
          searchOptions: { boostDocument: (id) => (/decisions|CHANGELOG|\/proto\//.test(id) ? 0.4 : 1) },
        },
      },
    },
  },
})
