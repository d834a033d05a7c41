# Times PyTorch's topk of 16, and its sort, of 2^17 rows of 1,024 random floats on the first GPU, in ms by its clock.
import torch

torch.manual_seed(1)
rows = torch.rand(2**17, 1024, device="cuda")
calls = {
    "topk 16": lambda: torch.topk(rows, 16, dim=1, largest=False, sorted=True),
    "sort": lambda: torch.sort(rows, dim=1),
}
for name, call in calls.items():
    times = []
    for repetition in range(13):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        begin.record()
        call()
        end.record()
        torch.cuda.synchronize()
        if repetition >= 3:
            times.append(begin.elapsed_time(end))
    times.sort()
    median = (times[4] + times[5]) / 2
    print(f"{name} {torch.__version__} median {median:.3f} min {times[0]:.3f} max {times[-1]:.3f}")
