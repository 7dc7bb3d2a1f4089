import { Anchor, Text } from '@mantine/core'

/** A link to a page of somebody else, in another tab; the words alone when its address is none of the web. */
export function OutsideLink({ url, words }: { url: string; words: string }) {
  if (!/^https?:\/\//.test(url)) return <Text size="sm">{words}</Text>
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
      {words}
    </Anchor>
  )
}
