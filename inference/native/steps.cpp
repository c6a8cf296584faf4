#include "steps.h"

#include <algorithm>

#include "dispatch.h"

namespace {

constexpr int64_t kQueries = 64;     // query vectors one thread takes through a page together
constexpr int64_t kRowsByPage = 16;  // up to so many rows, threads share the pages; beyond, the rows

int64_t queries_of(const ForewordAttention& a) { return std::max(kQueries, a.heads / a.kv_heads); }
int64_t block_rows(const ForewordAttention& a) { return std::max<int64_t>(1, kQueries / (a.heads / a.kv_heads)); }

// The positions that a query at `position` sees in `page`, counted from the page's first.
struct Seen {
  int64_t begin;
  int64_t end;
};
Seen seen_in(const ForewordAttention& a, int64_t position, int64_t page) {
  const int64_t oldest = a.window > 0 ? std::max<int64_t>(0, position - a.window + 1) : 0;
  const int64_t start = page * FOREWORD_PAGE;
  return {std::max<int64_t>(0, oldest - start), std::min<int64_t>(FOREWORD_PAGE, position + 1 - start)};
}

// Pages that rows begin..end see any of: first, and one past the last.
Seen pages_of(const ForewordAttention& a, int64_t position, int64_t begin, int64_t end) {
  const int64_t start = position + begin;
  const int64_t oldest = a.window > 0 ? std::max<int64_t>(0, start - a.window + 1) : 0;
  return {oldest / FOREWORD_PAGE, (position + end - 1) / FOREWORD_PAGE + 1};
}

// One thread's part of the scratch.
struct Bench {
  Bench(const ForewordAttention& a, AttentionScratch& scratch, int thread)
      : queries(scratch.queries.data() + thread * queries_of(a)),
        owners(scratch.owners.data() + thread * queries_of(a)),
        totals(scratch.totals.data() + thread * queries_of(a)),
        total_values(scratch.values.data() + thread * 2 * queries_of(a) * a.head_size),
        page_values(total_values + queries_of(a) * a.head_size) {}

  Query* queries;
  int64_t* owners;  // which query of the block queries[i] is
  Partial* totals;
  float* total_values;
  float* page_values;
};

// Few rows: every page of every key/value head by itself, then each query's pages merged in order.
void attend_by_page(Team& team, const ForewordAttention& a, const AttentionRows& x, AttentionScratch& scratch) {
  const Kernels& run = kernels();
  const int64_t group = a.heads / a.kv_heads;
  const Seen pages = pages_of(a, x.position, 0, x.rows);
  const int64_t page_count = pages.end - pages.begin;
  const int64_t rows_together = block_rows(a);
  const int64_t blocks = (x.rows + rows_together - 1) / rows_together;
  const int64_t size = a.head_size + 2;
  const auto partial_at = [&](int64_t row, int64_t head, int64_t page) {
    return scratch.partials.data() + ((row * a.heads + head) * page_count + (page - pages.begin)) * size;
  };
  const int64_t count = page_count * a.kv_heads * blocks;
  team.each(count, std::max<int64_t>(1, count / (team.size * 2)), [&](int64_t begin, int64_t end) {
    const Bench bench(a, scratch, team.index);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t page = pages.begin + i / blocks / a.kv_heads;
      const int64_t kv_head = i / blocks % a.kv_heads;
      const int64_t first = i % blocks * rows_together;
      const int64_t last = std::min(x.rows, first + rows_together);
      int64_t seen_by = 0;
      for (int64_t row = first; row < last; ++row) {
        const Seen seen = seen_in(a, x.position + row, page);
        if (seen.begin >= seen.end) continue;
        for (int64_t head = kv_head * group; head < (kv_head + 1) * group; ++head) {
          const float* q = x.q + row * x.q_stride + head * a.head_size;
          bench.queries[seen_by++] = {q, seen.begin, seen.end, {0.0f, 0.0f, partial_at(row, head, page) + 2}};
        }
      }
      run.attend(a, head_page(x.pages[page], page, a, x.layer, kv_head), bench.queries, seen_by);
      for (int64_t k = 0; k < seen_by; ++k) {
        const Partial& out = bench.queries[k].out;
        out.values[-2] = out.largest;
        out.values[-1] = out.weight;
      }
    }
  });
  const int64_t heads = x.rows * a.heads;
  team.each(heads, std::max<int64_t>(1, heads / team.size), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = i / a.heads;
      const int64_t head = i % a.heads;
      Partial total{0.0f, 0.0f, nullptr};
      for (int64_t page = pages.begin; page < pages.end; ++page) {
        const Seen seen = seen_in(a, x.position + row, page);
        if (seen.begin >= seen.end) continue;
        float* at = partial_at(row, head, page);
        const Partial part{at[0], at[1], at + 2};
        if (total.values) {
          run.merge(a.head_size, total, part);
        } else {
          total = part;
        }
      }
      run.finish(a.head_size, page_bits(x.pages[0]), total, x.out + i * a.head_size);
    }
  });
}

// Many rows: a block of rows of one key/value head goes through its pages in order.
void attend_by_rows(Team& team, const ForewordAttention& a, const AttentionRows& x, AttentionScratch& scratch) {
  const Kernels& run = kernels();
  const int64_t group = a.heads / a.kv_heads;
  const int64_t rows_together = block_rows(a);
  const int64_t count = (x.rows + rows_together - 1) / rows_together * a.kv_heads;
  team.each(count, 1, [&](int64_t begin, int64_t end) {
    const Bench bench(a, scratch, team.index);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t block =
          (count - 1 - i) / a.kv_heads;  // the last rows see most: first, so that threads end together
      const int64_t kv_head = i % a.kv_heads;
      const int64_t first = block * rows_together;
      const int64_t last = std::min(x.rows, first + rows_together);
      for (int64_t k = 0; k < (last - first) * group; ++k) bench.totals[k].values = nullptr;
      const Seen pages = pages_of(a, x.position, first, last);
      for (int64_t page = pages.begin; page < pages.end; ++page) {
        int64_t seen_by = 0;
        for (int64_t row = first; row < last; ++row) {
          const Seen seen = seen_in(a, x.position + row, page);
          if (seen.begin >= seen.end) continue;
          for (int64_t h = 0; h < group; ++h) {
            const int64_t owner = (row - first) * group + h;
            float* values = (bench.totals[owner].values ? bench.page_values : bench.total_values) + owner * a.head_size;
            const float* q = x.q + row * x.q_stride + (kv_head * group + h) * a.head_size;
            bench.owners[seen_by] = owner;
            bench.queries[seen_by++] = {q, seen.begin, seen.end, {0.0f, 0.0f, values}};
          }
        }
        run.attend(a, head_page(x.pages[page], page, a, x.layer, kv_head), bench.queries, seen_by);
        for (int64_t k = 0; k < seen_by; ++k) {
          Partial& total = bench.totals[bench.owners[k]];
          if (total.values) {
            run.merge(a.head_size, total, bench.queries[k].out);
          } else {
            total = bench.queries[k].out;
          }
        }
      }
      for (int64_t k = 0; k < (last - first) * group; ++k) {
        const int64_t head = (first + k / group) * a.heads + kv_head * group + k % group;
        run.finish(a.head_size, page_bits(x.pages[0]), bench.totals[k], x.out + head * a.head_size);
      }
    }
  });
}

// One row of each text: a key/value head of a text goes through that text's pages in order.
void attend_by_text(Team& team, const ForewordAttention& a, const AttentionRows& x, AttentionScratch& scratch) {
  const Kernels& run = kernels();
  const int64_t group = a.heads / a.kv_heads;
  team.each(x.rows * a.kv_heads, 1, [&](int64_t begin, int64_t end) {
    const Bench bench(a, scratch, team.index);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = i / a.kv_heads;
      const int64_t kv_head = i % a.kv_heads;
      const int64_t position = x.positions[row];
      const Seen pages = pages_of(a, position, 0, 1);
      for (int64_t page = pages.begin; page < pages.end; ++page) {
        const Seen seen = seen_in(a, position, page);
        float* values = page == pages.begin ? bench.total_values : bench.page_values;
        for (int64_t h = 0; h < group; ++h) {
          const float* q = x.q + row * x.q_stride + (kv_head * group + h) * a.head_size;
          bench.queries[h] = {q, seen.begin, seen.end, {0.0f, 0.0f, values + h * a.head_size}};
        }
        run.attend(a, head_page(x.texts[row][page], page, a, x.layer, kv_head), bench.queries, group);
        for (int64_t h = 0; h < group; ++h) {
          if (page == pages.begin) {
            bench.totals[h] = bench.queries[h].out;
          } else {
            run.merge(a.head_size, bench.totals[h], bench.queries[h].out);
          }
        }
      }
      for (int64_t h = 0; h < group; ++h) {
        float* out = x.out + (row * a.heads + kv_head * group + h) * a.head_size;
        run.finish(a.head_size, page_bits(x.texts[row][0]), bench.totals[h], out);
      }
    }
  });
}

}  // namespace

void AttentionScratch::prepare(const ForewordAttention& a, int64_t rows, int64_t position, int threads) {
  const auto grow = [](auto& buffer, int64_t size) {
    if (static_cast<int64_t>(buffer.size()) < size) buffer.resize(static_cast<size_t>(size));
  };
  const int64_t all = threads * queries_of(a);
  grow(values, all * 2 * a.head_size);
  grow(queries, all);
  grow(owners, all);
  grow(totals, all);
  const Seen pages = pages_of(a, position, 0, rows);
  grow(partials, std::min(rows, kRowsByPage) * a.heads * (pages.end - pages.begin) * (a.head_size + 2));
}

void quantize_step(Team& team, const float* x, int64_t rows, int64_t inputs, ForewordGroup* out) {
  team.each(rows, Team::kHalving,
            [&](int64_t begin, int64_t end) { kernels().quantize(x, rows, inputs, begin, end, out); });
}

void norm_quantize_step(Team& team, const float* x, const float* weight, float epsilon, int64_t rows, int64_t size,
                        ForewordGroup* out) {
  team.each(rows, Team::kHalving, [&](int64_t begin, int64_t end) {
    kernels().norm_quantize(x, weight, epsilon, rows, size, begin, end, out);
  });
}

void matmul_step(Team& team, const Product* products, int count, const ForewordGroup* x, int64_t rows) {
  int64_t tiles = 0;
  for (int i = 0; i < count; ++i) tiles += tiles_of(products[i].matrix->outputs);
  team.each(tiles, Team::kHalving, [&](int64_t begin, int64_t end) {
    int64_t start = 0;
    for (int i = 0; i < count; ++i) {
      const Product& p = products[i];
      const int64_t own = tiles_of(p.matrix->outputs);
      const int64_t first = std::max(begin - start, int64_t{0});
      const int64_t last = std::min(end - start, own);
      if (first < last) kernels().matmul(*p.matrix, x, rows, first, last, p.out, p.stride, p.accumulate);
      start += own;
    }
  });
}

void gate_up_step(Team& team, const ForewordMatrix& gate, const ForewordMatrix& up, const ForewordGroup* x,
                  int64_t rows, int32_t activation, ForewordGroup* out) {
  const int64_t groups = groups_of(gate.outputs);
  team.each(groups, Team::kHalving,
            [&](int64_t begin, int64_t end) { kernels().gate_up(gate, up, x, rows, activation, begin, end, out); });
}

void keep_step(Team& team, const ForewordAttention& a, const AttentionRows& x) {
  const Kernels& run = kernels();
  const int64_t per_row = a.heads + a.kv_heads;
  const int64_t count = x.rows * per_row;
  team.each(count, std::max<int64_t>(1, count / team.size), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = i / per_row;
      const int64_t head = i % per_row;
      const int64_t position = x.texts ? x.positions[row] : x.position + row;
      uint16_t* const* const pages = x.texts ? x.texts[row] : x.pages;
      if (head < a.heads) {
        run.rotate(a, a.query_norm, a.scale, position, x.q + row * x.q_stride + head * a.head_size);
      } else {
        const int64_t at = row * x.kv_stride + (head - a.heads) * a.head_size;
        const int64_t number = position / FOREWORD_PAGE;
        const HeadPage page = head_page(pages[number], number, a, x.layer, head - a.heads);
        if (page.bits <= 4 && page.offsets) {
          for (int64_t d = 0; d < a.head_size; ++d) x.k[at + d] -= page.offsets[d * 16];
        }
        run.rotate(a, a.key_norm, 1.0f, position, x.k + at);
        run.keep(a, x.k + at, x.v + at, position, page);
      }
    }
  });
}

void attend_step(Team& team, const ForewordAttention& a, const AttentionRows& rows, AttentionScratch& scratch) {
  if (rows.texts) {
    attend_by_text(team, a, rows, scratch);
  } else if (rows.rows <= kRowsByPage) {
    attend_by_page(team, a, rows, scratch);
  } else {
    attend_by_rows(team, a, rows, scratch);
  }
}
