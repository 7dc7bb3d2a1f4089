/** Writes one argument so that a POSIX shell reads it back as it is; plain words stay plain. */
export function shellQuote(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`
}

/** Writes a command as a person would type it. */
export function shellCommand(argv: readonly string[]): string {
  return argv.map(shellQuote).join(' ')
}

/** Writes a command that makes a file with this content. */
export function shellHeredoc(path: string, content: string): string {
  const lines = content.split('\n')
  let delimiter = 'EOF'
  while (lines.includes(delimiter)) delimiter += '_'
  return `cat <<'${delimiter}' > ${shellQuote(path)}\n${content.endsWith('\n') ? content : `${content}\n`}${delimiter}`
}
