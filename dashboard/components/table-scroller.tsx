import type { ComponentChildren } from 'preact'

/** A frame for a table that can be wider than the window. The keyboard scrolls it, too. */
export const TableScroller = ({ children }: { children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
  <div class="table-scroller" tabIndex={0}>
    {children}
  </div>
)
