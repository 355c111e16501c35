/** Shows that something opens below. */
export function ChevronDown() {
  return (
    <svg aria-hidden viewBox="0 0 16 16" className="size-3.5 shrink-0" fill="none" stroke="currentColor">
      <path d="m4 6 4 4 4-4" strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

/** Marks a button that removes something. */
export function Cross() {
  return (
    <svg aria-hidden viewBox="0 0 16 16" className="size-3.5 shrink-0" fill="none" stroke="currentColor">
      <path d="m4 4 8 8m0-8-8 8" strokeWidth="1.75" strokeLinecap="round" />
    </svg>
  );
}
