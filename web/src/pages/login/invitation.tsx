import { LoginFrame } from './login-frame.tsx';
export default function Invitation() {
  return <LoginFrame title="Invitation">…</LoginFrame>;
}
