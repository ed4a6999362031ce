// The smallest program that uses the library: one tree with a subtree that occurs twice.
#include <cstdio>
#include <espalier/espalier.hpp>

int main() {
  espalier::Tree tree;
  espalier::TreeBuilder builder;
  builder.start(tree);
  builder.open("S");
  for (int i = 0; i < 2; ++i) {
    builder.open("NP");
    builder.leaf("dog");
    builder.close();
  }
  builder.close();

  espalier::Forest forest;
  forest.add(tree);
  std::printf("espalier %s: %zu nodes, %zu distinct subtrees\n", espalier::version, tree.size(),
              forest.vertex_count());
}
