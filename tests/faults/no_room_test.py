"""No room, no permission, a closed pipe: one clear line, exit code 1, nothing half-written."""

import os
import resource
import subprocess

import pytest
from program import TEST, TRAIN, assert_refused, run, run_well, start

KERNEL = "norm(sst(lambda=0.4))"
WRITERS = {  # each writes more than 100 kB
    "gram": ("gram", "-k", KERNEL, TRAIN, "-o", "output.npy"),
    "gram-gz": ("gram", "-k", KERNEL, TEST, "-o", "output.tsv.gz"),
    "gram-resume": ("gram", "-k", KERNEL, TRAIN, "--resume", "-o", "output.npy"),
    "train": ("train", "-k", KERNEL, TRAIN, "-o", "output"),
    "embed-dtk": ("embed", "--method", "dtk", "--dim", "512", TRAIN, "-o", "output.npy"),
    "embed-dtk-resume": ("embed", "--method", "dtk", "--dim", "512", TRAIN, "--resume", "-o",
                         "output.npy"),
    "embed-nystroem": ("embed", "--method", "nystroem", "-k", KERNEL, "--landmarks", "100", TRAIN,
                      "-o", "output.npy"),
    "embed-subtree": ("embed", "--method", "subtree", TRAIN, "-o", "output.npz"),
    "convert": ("convert", TRAIN, "output.klp"),
    "report": ("report", TRAIN, "-o", "output.html"),
}
writers = pytest.mark.parametrize("command", WRITERS.values(), ids=WRITERS)


def output_of(command, folder):
    return folder / command[command.index("-o") + 1 if "-o" in command else -1]


def limited(kind, most):
    """For a process to call before it becomes the program."""
    return lambda: resource.setrlimit(kind, (most, most))


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
    result = run(*command, cwd=tmp_path, preexec_fn=limited(resource.RLIMIT_FSIZE, 20000))
    assert_refused(result, "File too large")
    assert output.read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} <= {output.name, output.name + ".part"}


@pytest.mark.parametrize("locked", ["folder", "file"])
@writers
def test_what_may_not_be_written_stays_as_it_is(command, locked, tmp_path):
    output = output_of(command, tmp_path)
    output.write_text("old")
    for folder in [tmp_path, *tmp_path.parents][:3]:  # so that somebody else gets there
        folder.chmod(0o777)
    (tmp_path if locked == "folder" else output).chmod(0o555)
    somebody_else = (lambda: os.setuid(65534)) if os.geteuid() == 0 else None
    assert_refused(run(*command, cwd=tmp_path, preexec_fn=somebody_else), "Permission denied")
    tmp_path.chmod(0o777)
    assert output.read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} <= {output.name, output.name + ".part"}


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
    assert_refused((process.wait(), b"", errors), "Broken pipe")


@writers
def test_little_memory_leaves_the_old_file_or_makes_the_new_one(command, tmp_path):
    """Whatever allocation fails, of whatever thread."""
    run_well(*command, cwd=tmp_path)
    output = output_of(command, tmp_path)
    right = output.read_bytes()
    for megabytes in (13, 16, 19, 25, 40, 200):
        output.write_text("old")
        result = run(
            *command, cwd=tmp_path, preexec_fn=limited(resource.RLIMIT_AS, megabytes << 20)
        )
        if result[0]:
            assert_refused(result, "out of memory")
        assert output.read_bytes() == (b"old" if result[0] else right)
    assert result[0] == 0


def test_a_matrix_beyond_the_memory_is_an_error_that_says_how_large_it_is(tmp_path):
    """Twenty thousand examples make a matrix of 3 GB, which only gram computes in a file."""
    many = tmp_path / "many.tsv"
    many.write_bytes(TEST.read_bytes() * 112)
    result = run("kernel", "-k", KERNEL, many, preexec_fn=limited(resource.RLIMIT_AS, 1 << 30))
    assert_refused(
        result, "out of memory: a matrix of 20,160 x 20,160 numbers takes 3.25 GB; use fewer examples")


@pytest.mark.parametrize("options", [[], ["--resume"], ["--to", "tsv"]])
def test_a_matrix_beyond_the_disk_is_refused_before_any_work(options, small_disk):
    output = small_disk / ("G.tsv" if "tsv" in options else "G.npy")
    result = run("gram", "-k", KERNEL, TRAIN, *options, "-o", output)
    assert_refused(result, "No space left on device: it takes 4,147,328 bytes, ")
    assert not any(small_disk.iterdir())
