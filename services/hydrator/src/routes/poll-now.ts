/** Has the poll of all repositories begin at once. */
export function pollNow({ requestPoll }: { requestPoll: () => void }) {
  return async () => {
    requestPoll()
    return {}
  }
}
