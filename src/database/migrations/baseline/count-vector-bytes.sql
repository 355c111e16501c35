CREATE FUNCTION count_vector_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    more BIGINT := 0;
  BEGIN
    IF TG_OP = 'TRUNCATE' THEN
      UPDATE vector_bytes SET bytes = 0;
      RETURN NULL;
    END IF;
    IF TG_OP <> 'DELETE' THEN
      more := COALESCE((SELECT sum(octet_length(vector)) FROM added), 0);
    END IF;
    IF TG_OP <> 'INSERT' THEN
      more := more - COALESCE((SELECT sum(octet_length(vector)) FROM removed), 0);
    END IF;
    IF more <> 0 THEN
      INSERT INTO vector_bytes AS b (slot, bytes) VALUES (pg_backend_pid() % 16, more)
      ON CONFLICT (slot) DO UPDATE SET bytes = b.bytes + excluded.bytes;
    END IF;
    RETURN NULL;
  END $$
