"""No room, no permission, nobody listening: one clear line, exit code 1, and nothing half-written."""
import os
import resource
import subprocess
from pathlib import Path

import pytest
from program import PROGRAM, TEST, TRAIN, assert_refused, run, run_well, start

KERNEL = "norm(sst(lambda=0.4))"
WRITERS = {  # each writes more than 100 kB
    "gram": ("gram", "-k", KERNEL, TRAIN, "-o", "output.npy"),
    "gram-gz": ("gram", "-k", KERNEL, TRAIN, "-o", "output.tsv.gz"),
    "gram-resume": ("gram", "-k", KERNEL, TRAIN, "--resume", "-o", "output.npy"),
    "train": ("train", "-k", KERNEL, TRAIN, "-o", "output"),
    "embed-dtk": ("embed", "--method", "dtk", "--dim", "512", TRAIN, "-o", "output.npy"),
    "embed-dtk-resume": ("embed", "--method", "dtk", "--dim", "512", TRAIN, "--resume", "-o", "output.npy"),
    "embed-nystrom": ("embed", "--method", "nystrom", "-k", KERNEL, "--landmarks", "100", TRAIN, "-o", "output.npy"),
    "embed-subtree": ("embed", "--method", "subtree", TRAIN, "-o", "output.npz"),
    "convert": ("convert", TRAIN, "output.klp"),
    "report": ("report", TRAIN, "-o", "output.html"),
    "cluster": ("cluster", "-k", KERNEL, "--clusters", "3", TRAIN, "-o", "output"),
}
writers = pytest.mark.parametrize("command", WRITERS.values(), ids=WRITERS)


def output_of(command, folder):
    return folder / command[command.index("-o") + 1 if "-o" in command else -1]


@pytest.fixture
def small_disk(tmp_path):
    """A file system with room for a few pages."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", folder],
                             capture_output=True)
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)


@writers
def test_a_full_disk_leaves_the_old_file(command, small_disk):
    output = output_of(command, small_disk)
    output.write_text("old")
    assert_refused(run(*command, cwd=small_disk), "No space left on device")
    assert output.read_text() == "old"
    assert {path.name for path in small_disk.iterdir()} <= {output.name, output.name + ".part"}


@writers
def test_a_limit_on_the_size_of_files_leaves_the_old_file(command, tmp_path):
    output = output_of(command, tmp_path)
    output.write_text("old")
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
    assert_refused(run(*command, cwd=tmp_path, preexec_fn=limit), "File too large")
    assert output.read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} <= {output.name, output.name + ".part"}


def test_after_a_full_disk_resume_goes_on_where_there_is_room(small_disk, tmp_path):
    command = WRITERS["gram-resume"]
    assert run(*command, cwd=small_disk)[0] == 1
    part = small_disk / "output.npy.part"
    (tmp_path / "output.npy.part").write_bytes(part.read_bytes())
    run_well(*command, cwd=tmp_path)
    resumed = (tmp_path / "output.npy").read_bytes()
    run_well(*WRITERS["gram"], cwd=tmp_path)
    assert (tmp_path / "output.npy").read_bytes() == resumed


@pytest.mark.skipif(os.geteuid() == 0 and not Path("/usr/bin/setpriv").exists(),
                    reason="root may write everywhere")
@writers
def test_a_folder_that_may_not_be_written_stays_as_it_is(command, tmp_path):
    output = output_of(command, tmp_path)
    output.write_text("old")
    tmp_path.chmod(0o555)
    other = (lambda: os.setuid(65534)) if os.geteuid() == 0 else None
    for folder in [tmp_path, *tmp_path.parents][:3]:  # so that somebody else gets there
        if folder.stat().st_uid == os.geteuid():
            folder.chmod(folder.stat().st_mode | 0o055)
    assert_refused(run(*command, cwd=tmp_path, preexec_fn=other), "Permission denied")
    assert output.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == [output.name]
    tmp_path.chmod(0o755)


@pytest.mark.parametrize("arguments", [
    ("gram", "-k", KERNEL, TRAIN, "-o", "-", "--to", "tsv"),
    ("gram", "-k", KERNEL, TRAIN, "-o", "-", "--to", "npy"),
    ("convert", TRAIN, "-", "--to", "klp"),
    ("kernel", "-k", KERNEL, TRAIN),
])
def test_a_reader_that_closes_the_pipe_is_an_error_of_one_line(arguments):
    process = start(*arguments)
    process.stdout.read(10)
    process.stdout.close()
    errors = process.stderr.read()
    assert_refused((process.wait(timeout=60), b"", errors), "Broken pipe")


@pytest.mark.parametrize("megabytes", [60, 100, 200])
@writers
def test_no_memory_is_an_error_or_no_matter(command, megabytes, tmp_path):
    """Whatever allocation fails, the old output stays or the new one is whole."""
    run_well(*command, cwd=tmp_path)
    output = output_of(command, tmp_path)
    right = output.read_bytes()
    output.write_text("old")
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    code, _, errors = run(*command, "--threads", "1", cwd=tmp_path, preexec_fn=limit)
    assert code in (0, 1), errors
    if code:
        assert errors.decode().splitlines() == ["espalier: out of memory"]
    assert output.read_bytes() == (b"old" if code else right)


def test_little_memory_is_said_so(tmp_path):
    """Twenty thousand examples make a matrix of 3 GB."""
    many = tmp_path / "many.tsv"
    many.write_bytes(TEST.read_bytes() * 112)
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    result = run("gram", "-k", KERNEL, many, "-o", tmp_path / "G.npy", preexec_fn=limit)
    assert_refused(result, "out of memory")
    assert [path.name for path in tmp_path.iterdir()] == ["many.tsv"]
