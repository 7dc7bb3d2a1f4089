import { Notifications } from '@mantine/notifications'
import { useEffect, useRef } from 'react'

/** The room above and below the notifications, in pixels. */
const margins = 32

/** Draws the notifications, and says by `--toasts-height` how much room dialogs must leave them. */
export function Toasts() {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const toasts = place.current?.querySelector<HTMLElement>('[data-position=top-center]')
    if (!toasts) return undefined
    const observer = new ResizeObserver(() => {
      const height = toasts.offsetHeight === 0 ? 0 : toasts.offsetHeight + margins
      document.documentElement.style.setProperty('--toasts-height', `${height}px`)
    })
    observer.observe(toasts)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place}>
      <Notifications position="top-center" withinPortal={false} />
    </div>
  )
}
