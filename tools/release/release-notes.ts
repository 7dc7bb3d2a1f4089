/**
 * Returns what a changelog says of a version, below a heading with it.
 * @throws Error if it says nothing
 */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## )/m)
  const section = sections.find((text) => text.startsWith(`## ${version} (`))
  const [, changes = ''] = /^## .*\n([^]*)$/.exec(section ?? '') ?? []
  if (changes.trim() === '') {
    throw new Error(`CHANGELOG.md has no changes below a heading "## ${version} (YYYY-MM-DD)"`)
  }
  return `# Wadi ${version}\n\n${changes.trim()}\n`
}
