import { readFileSync } from 'node:fs'

/** The commands of a guide under one heading, in order. */
interface GuideSection {
  /** Blocks of commands. */
  readonly commands: readonly string[]
  /** Blocks of YAML. */
  readonly yaml: readonly string[]
}

/** A guide whose commands are run as they are printed. */
export class GuideCommands {
  readonly #sections: ReadonlyMap<string, GuideSection>
  readonly #taken = new Set<string>()

  constructor(file: string) {
    this.#sections = readSections(readFileSync(file, 'utf8'))
  }

  /** The commands under a heading, all blocks of them one after the other. */
  commands(heading: string): string {
    this.#taken.add(heading)
    return this.#section(heading).commands.join('\n')
  }

  /** The first block of YAML under a heading. */
  yaml(heading: string): string {
    return this.#section(heading).yaml[0] ?? ''
  }

  /** Headings with commands that nobody asked for. */
  notTaken(): string[] {
    return [...this.#sections]
      .filter(([heading, { commands }]) => commands.length > 0 && !this.#taken.has(heading))
      .map(([heading]) => heading)
  }

  #section(heading: string): GuideSection {
    const section = this.#sections.get(heading)
    if (section === undefined) throw new Error(`the guide has no heading ${heading}`)
    return section
  }
}

function readSections(text: string): Map<string, GuideSection> {
  const sections = new Map<string, GuideSection>()
  for (const part of text.split(/^## /m).slice(1)) {
    const heading = part.slice(0, part.indexOf('\n')).replaceAll('`', '')
    sections.set(heading, { commands: blocksOf(part, 'sh'), yaml: blocksOf(part, 'yaml') })
  }
  return sections
}

/** Fenced blocks of a language, without the indentation of a list that they are in. */
function blocksOf(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\n(.*?)^ *\`\`\`$`, 'gms'))].map(
    ([, indentation = '', block = '']) => block.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
  )
}
