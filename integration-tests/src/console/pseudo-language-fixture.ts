import compile from 'icu-minify/compile'
import { catalogueKey } from '@wadi/web/language/format-message.ts'
import { listAt, objectAt, textAt } from '@wadi/fields/json-fields.ts'
import type { Page } from 'playwright-core'
import type { GatewayClient } from '../gateway-fixture.ts'
import { readCatalogue } from './language-fixture.ts'

/** Gives the page a German catalogue whose texts are the English ones in brackets, so that a text without them is from elsewhere. */
export async function usePseudoLanguage(page: Page): Promise<void> {
  const rows = Object.keys(await readCatalogue('de')).map((english) => {
    const message = compile(english)
    const marked = typeof message === 'string' ? `⟦${message}⟧` : ['⟦', ...message, '⟧']
    return [catalogueKey(message), marked] as const
  })
  await page.route(/\/assets\/de-[\w-]+\.js$/, async (route) => {
    const part = await (await route.fetch()).text()
    const { default: texts } = (await import(`data:text/javascript,${encodeURIComponent(part)}`)) as {
      default: object
    }
    const marked = Object.fromEntries(rows.filter(([key]) => key in texts))
    await route.fulfill({
      contentType: 'text/javascript',
      body: `export default ${JSON.stringify(marked)}`,
    })
  })
}

/** The script that returns what people read or hear of a page, without code, times and what is marked as English. */
const readTexts = `(() => {
  const isOther = (element) => element.closest('[lang=en], time, code, pre, .cm-editor, script, noscript, style, svg')
  const ownText = (element) => {
    const copy = element.cloneNode(true)
    for (const other of copy.querySelectorAll('[lang=en], time, code, pre')) other.remove()
    return copy.textContent
  }
  const texts = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { parentElement, data } = walker.currentNode
    if (!isOther(parentElement) && data.trim() !== '') texts.push(ownText(parentElement))
  }
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
    if (isOther(element)) continue
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) texts.push(element.getAttribute(name) ?? '')
  }
  return [...new Set(texts)]
})()`

/** Names that the tests, the console and others give to things, and units of time: of no language. */
const data = new RegExp(
  [
    /\b(?:Wadi|Helm|Kustomize|YAML|JSON|HEAD|URL|ConfigMap|Ctrl K|Argo CD|UTC|ms|api|web|shop-web|ann|bob|login|apiKey)\b/,
    /\b(?:argocd|default|admin|main|spoken(?:-found)?|environments|First configuration|Dry Author|secrets|greeting|size)\b/,
    // The parameters of a directory of manifests, and words of the policy.
    /\b(?:recurse|include|exclude|jsonnet-ext-vars|jsonnet-tlas|applications|applicationsets|get)\b/,
    /[0-9a-f]{7,}|\S*[/.:@]\S*/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** Returns what objects of all tests are called, their labels, tools and kinds of generators. */
export async function namesOfObjects({
  applications,
  applicationSets,
  projects,
}: GatewayClient): Promise<string[]> {
  const [choices, sets, { projects: named }] = await Promise.all([
    applications.listApplicationChoices({}),
    applicationSets.listApplicationSets({}),
    projects.listProjects({}),
  ])
  const { labels, renderers, tools } = choices
  const generators = sets.applicationSets.flatMap((set) => listAt(set, 'spec', 'generators'))
  return [
    ...[...sets.applicationSets, ...named].map((object) => textAt(object, 'metadata', 'name')),
    ...[...labels, ...tools].flatMap((text) => text.split(/[= ]/)),
    ...renderers,
    ...generators.flatMap((generator) => Object.keys(objectAt(generator))),
  ]
}

/** Returns the texts of a page that are neither from a catalogue nor names, each with the address of the page. */
export async function assertTranslated(
  page: Page,
  address: string,
  names: readonly string[],
): Promise<string[]> {
  const texts = await page.evaluate<string[]>(readTexts)
  const escaped = names.filter((name) => name !== '').map((name) => RegExp.escape(name))
  const named = new RegExp(`(?<![\\p{L}-])(?:${escaped.join('|')})(?![\\p{L}-])`, 'gu')
  return texts
    .map((text) => withoutTranslated(text).replaceAll(named, '').replaceAll(data, ''))
    .filter((text) => /\p{L}{2}/u.test(text))
    .map((text) => `${address}: ${text.trim()}`)
}

function withoutTranslated(text: string): string {
  const shorter = text.replaceAll(/⟦[^⟦⟧]*⟧/g, '')
  return shorter === text ? text : withoutTranslated(shorter)
}
