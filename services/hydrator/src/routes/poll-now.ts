/** Starts the poll of all repositories and of all pull requests at once. */
export function pollNow({ lookAgain }: { lookAgain: () => void }) {
  return async () => {
    lookAgain()
    return {}
  }
}
