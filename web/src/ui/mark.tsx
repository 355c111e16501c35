/** The product's mark and name. */
export function Mark() {
  return (
    <span className="inline-flex items-center gap-2 font-semibold text-base">
      <img src="/favicon.svg" alt="" width={24} height={24} />
      Embedgate
    </span>
  );
}
