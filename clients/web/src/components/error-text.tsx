import { errorWords } from '../words/error-text.ts'

/** Says why a call failed, in the words of the console, of the server, or both. */
export function ErrorText({ error }: { error: unknown }) {
  const { own, server } = errorWords(error)
  return (
    <>
      {own !== '' && `${own} `}
      {server !== '' && <span lang="en">{server}</span>}
    </>
  )
}
