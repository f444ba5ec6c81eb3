"""A virtual machine that runs out of memory ends, so that nothing which a broker does after that is judged."""

import subprocess
from pathlib import Path

from tidegate.adapters.process.java import java, memory

SURVIVES = """
public class Survives {
    public static void main(String[] ignored) {
        try {
            System.out.println(new long[1 << 28].length);
        } catch (OutOfMemoryError error) {
            System.out.println("went on");
        }
    }
}
"""


def test_a_virtual_machine_without_memory_ends(tmp_path: Path) -> None:
    program = tmp_path / "Survives.java"
    program.write_text(SURVIVES, encoding="utf-8")
    ended = subprocess.run([java(), *memory(64), str(program)], capture_output=True, text=True, check=False)
    assert ended.returncode == 3
    assert "Terminating due to java.lang.OutOfMemoryError" in ended.stdout
    assert "went on" not in ended.stdout
