/** Has the poll of all repositories and the look at all pull requests begin at once. */
export function pollNow({ lookAgain }: { lookAgain: () => void }) {
  return async () => {
    lookAgain()
    return {}
  }
}
