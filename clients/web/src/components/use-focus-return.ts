import { useEffect, useState } from 'react'

/** Gives the focus back to where it was when the component was drawn first; to the page if that is no longer there. */
export function useFocusReturn(): void {
  const [opener] = useState(focusedElement)
  useEffect(
    () => () => {
      // Somebody who has gone on is left where they are.
      if (document.activeElement !== document.body) return
      const place = opener?.isConnected ? opener : document.querySelector<HTMLElement>('#page')
      place?.focus({ preventScroll: true })
    },
    [opener],
  )
}

/** The element with the focus; of a menu, which closes, the one that opened it. */
function focusedElement(): HTMLElement | null {
  const focused = document.activeElement
  const menu = focused?.closest('[role=menu]')
  const element = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused
  return element instanceof HTMLElement ? element : null
}
