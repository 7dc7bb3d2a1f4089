/** Path of the comparison of two branches, from which GitHub and Gitea open pull requests. */
export function comparedPath(from: string, to: string): string {
  return `/compare/${encodedPath(to)}...${encodedPath(from)}`
}

/** Query of a page. */
export function queryText(parameters: Record<string, string>): string {
  return new URLSearchParams(parameters).toString()
}

function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
