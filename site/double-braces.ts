import type { MarkdownRenderer } from 'vitepress'

/** Makes pages show `{{ }}` of their text and code as written, where Vue would read an expression. */
export function showDoubleBraces(markdown: MarkdownRenderer): void {
  const { text, code_inline: inlineCode } = markdown.renderer.rules
  markdown.renderer.rules.text = (...line) => escaped(text?.(...line) ?? '')
  markdown.renderer.rules.code_inline = (...line) => escaped(inlineCode?.(...line) ?? '')
}

function escaped(html: string): string {
  return html.replaceAll('{{', '&#123;&#123;')
}
